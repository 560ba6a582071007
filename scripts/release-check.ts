// `npm run release:check`: what would be published works without this repository. Packs every package, installs the tarballs into an
// empty folder together with the example application, and runs the type check, the tests, the build and a start there. Run `npm run build`
// first.

import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { mustBeBuilt, readScriptArguments, runScript, ScriptError } from './command.ts'
import { manifestsIn, ownDependencies, readManifest, root } from './manifests.ts'

const folder = mkdtempSync(join(tmpdir(), 'plinth-release-'))
const app = join(folder, 'library')

const run = (command: string, ...args: readonly string[]): string => {
  console.log(`> ${command} ${args.map(arg => basename(arg)).join(' ')}`)
  return execFileSync(command, args, { cwd: app, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

const pack = (): ReadonlyMap<string, string> => {
  const packed = execFileSync('npm', ['run', '--silent', 'pack', '--', folder], { cwd: root, encoding: 'utf8' })
  const files = packed.split('\n').filter(Boolean)
  return new Map(files.map(file => [basename(file).replace(/-\d.*$/, ''), file]))
}

const checkVersions = (): void => {
  const { version } = readManifest(join(root, 'package.json'))
  const others = manifestsIn('packages').filter(file => {
    const manifest = readManifest(file)
    return manifest.version !== version || ownDependencies(manifest).some(([, needed]) => needed !== version)
  })
  if (others.length > 0)
    throw new ScriptError(`not version ${version}, or in need of another one: ${others.join(', ')}`)
}

const copyExample = (tarballs: ReadonlyMap<string, string>): void => {
  cpSync(join(root, 'examples/library'), app, { recursive: true, filter: file => !/node_modules|dist$/.test(file) })
  const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  const template = JSON.parse(readFileSync(join(root, 'packages/create-plinth/template/package.json'), 'utf8'))
  const dependencies = Object.fromEntries(
    [...tarballs.values()].map(file => [JSON.parse(manifestIn(file)).name, `file:${file}`]),
  )
  const { devDependencies, allowScripts } = template
  writeFileSync(
    join(app, 'package.json'),
    JSON.stringify({ ...manifest, dependencies, devDependencies, allowScripts }, null, 2),
  )
  cpSync(join(root, 'packages/create-plinth/template/tsconfig.json'), join(app, 'tsconfig.json'))
}

const manifestIn = (tarball: string): string =>
  execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' })

const startOnce = (): Promise<void> =>
  new Promise((resolve, reject) => {
    console.log('> plinth start')
    const args = ['node_modules/plinth/bin/plinth.js', 'start', '--app.demo=true', '--server.port=0']
    const child = spawn(process.execPath, args, { cwd: app, stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      said += text
      if (said.includes('is ready at')) child.kill('SIGTERM')
    })
    child.once('exit', code =>
      code === 0 && said.includes('is ready at') ? resolve() : reject(new Error(`start ended with ${code}:\n${said}`)),
    )
  })

const check = async (): Promise<void> => {
  try {
    mustBeBuilt('packages/plinth/dist/main.js', 'packages/plinth/dist/types/index.d.ts')
    checkVersions()
    const tarballs = pack()
    console.log(`packed ${[...tarballs.keys()].join(', ')}`)
    copyExample(tarballs)
    run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund')
    run('npx', 'tsc')
    run('npx', 'vitest', 'run')
    run('npx', 'plinth', 'build')
    await startOnce()
    console.log('The packages can be released.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

readScriptArguments({
  usage: 'Usage: npm run release:check\n\nTries what would be published in an empty folder. Run `npm run build` first.',
})
await runScript(check)
