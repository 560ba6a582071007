// The examples in `deploy`: they can be read, name settings and paths that exist, and pass the checks of their own programs where
// those are installed.

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createCertificate } from '@plinth/test-kit/certificate'
import { expectHardened } from '@plinth/test-kit/compose'
import { settings } from '@plinth/test-kit/platform'
import { expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string): string => readFileSync(`${root}deploy/${file}`, 'utf8')

const yamlFiles = ['compose.yaml', 'kubernetes.yaml', 'prometheus.yml']
const files = [...yamlFiles, 'Dockerfile', 'example.env', 'plinth.service', 'nginx.conf', 'Caddyfile']

test.each(yamlFiles)('%s is YAML', file => {
  const documents = parseAllDocuments(read(file))
  expect(documents.length).toBeGreaterThan(0)
  for (const { errors } of documents) expect(errors).toEqual([])
})

test.each(files)('%s names variables that are settings', file => {
  const known = new Set([...settings.keys()].map(name => name.replaceAll('.', '_').toUpperCase()))
  const named = [...read(file).matchAll(/\b(?:APP|SERVER)_[A-Z_]+\b/g)].map(([name]) => name)
  expect(named.filter(name => !known.has(name))).toEqual([])
})

test('the probes ask for endpoints that exist, and liveness is not readiness', () => {
  const probes = [...read('kubernetes.yaml').matchAll(/(\w+)Probe:\n\s+httpGet: \{ path: ([^,]+),/g)]
  expect(Object.fromEntries(probes.map(([, name = '', path = '']) => [name, path]))).toEqual({
    startup: '/api/management/health/liveness',
    liveness: '/api/management/health/liveness',
    readiness: '/api/management/health/readiness',
  })
  expect(read('Dockerfile')).toContain('/api/management/health/liveness')
})

test('Prometheus asks for an endpoint that exists, with a key', () => {
  const [document] = parseAllDocuments(read('prometheus.yml'))
  const [scrape] = document?.toJS().scrape_configs ?? []
  expect(scrape).toMatchObject({ metrics_path: '/api/management/prometheus', authorization: expect.anything() })
})

test('what the examples start is there', () => {
  for (const file of ['Dockerfile', 'plinth.service']) expect(read(file)).toContain('packages/plinth/bin/plinth.js')
  expect(existsSync(`${root}packages/plinth/bin/plinth.js`)).toBe(true)
})

test('no file with secrets gets into the image', () => {
  const ignored = read('Dockerfile.dockerignore').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['**/.env', '**/.env.*', '**/*.key', '**/data']))
  expect(ignored.filter(line => line.startsWith('!'))).toEqual([])
  // The last stage takes what it needs, not the whole folder.
  const [, last = ''] = read('Dockerfile').split(/^FROM .*AS build$/m)
  const copied = [...last.matchAll(/^COPY --from=build\b.* (\S+)$/gm)].map(([, to]) => to)
  expect(copied.length).toBeGreaterThan(2)
  expect(last).not.toMatch(/^COPY .* \/app \/app$/m)
})

test('containers have a read-only file system and no privileges', () => {
  const [compose] = parseAllDocuments(read('compose.yaml'))
  expectHardened(compose?.toJS().services)
  const [deployment] = parseAllDocuments(read('kubernetes.yaml'))
  const pod = deployment?.toJS().spec.template.spec
  expect(pod.automountServiceAccountToken).toBe(false)
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  for (const { securityContext } of pod.containers)
    expect(securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
})

const succeeds = (command: string): Promise<boolean> =>
  run('sh', ['-c', command]).then(
    () => true,
    () => false,
  )

/** Programs that check their own files; what is not installed is reported, not passed over in silence. */
const checks: readonly [program: string, probe: string, args: readonly string[]][] = [
  ['systemd-analyze', 'command -v systemd-analyze', ['verify', '--man=no', `${root}deploy/plinth.service`]],
  ['caddy', 'command -v caddy', ['validate', '--adapter', 'caddyfile', '--config', `${root}deploy/Caddyfile`]],
  [
    'docker',
    // A plugin, which may be missing.
    'docker compose version',
    [
      'compose',
      '--env-file',
      `${root}deploy/example.env`,
      '-f',
      `${root}deploy/compose.yaml`,
      'config',
      '-q',
      '--no-interpolate',
    ],
  ],
]

test('nginx accepts its file', async () => {
  if (!(await succeeds('command -v nginx'))) {
    console.warn('NOT CHECKED: nginx is not installed, so deploy/nginx.conf was not verified.')
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'plinth-nginx-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { certificate, key } = createCertificate()
  await writeFile(join(folder, 'fullchain.pem'), certificate)
  await writeFile(join(folder, 'privkey.pem'), key)
  const site = read('nginx.conf').replaceAll('/etc/ssl/plinth/', `${folder}/`)
  await writeFile(join(folder, 'nginx.conf'), `pid ${folder}/nginx.pid;\nevents {}\nhttp {\n${site}\n}\n`)
  const { stderr } = await run('nginx', ['-t', '-q', '-c', join(folder, 'nginx.conf'), '-p', folder])
  expect(stderr).not.toMatch(/emerg|error/)
})

test.each(checks)('%s accepts its file', async (program, probe, args) => {
  if (!(await succeeds(probe))) {
    console.warn(`NOT CHECKED: \`${probe}\` failed, so the file of ${program} in deploy/ was not verified.`)
    return
  }
  const { stderr } = await run(program, [...args])
  expect(stderr).not.toMatch(/error|Unknown (key|section|lvalue)|failed/i)
})
