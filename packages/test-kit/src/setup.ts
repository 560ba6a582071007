// Runs before each test file: adds matchers, makes password hashes cheap, and prints what a test waited for when it timed out, and
// what its browser shows when it fails.

import { afterAll, afterEach, type TestContext } from 'vitest'
import { setHashMemory } from '../../plinth/src/modules/people/passwords.ts'
import { abandonWaits } from '../../plinth/src/testing/waiting.ts'
import './matchers.ts'
import { reportPages } from './page-reports.ts'

/** The memory in KiB, the least that argon2 accepts. */
export const testHashMemory = 8

setHashMemory(testHashMemory)

type Task = TestContext['task'] | TestContext['task']['file'] | TestContext['task']['suite']

const timedOut = (task: Task): boolean =>
  task?.result?.errors?.some(({ message }) => /timed out/i.test(message)) ?? false

const printWaits = (name: string): void => {
  const waits = abandonWaits()
  console.error(
    [`Timed out: ${name}. It waited for:`, ...(waits.length > 0 ? waits : ['nothing that has a name'])].join('\n  '),
  )
}

afterEach(async ({ task }) => {
  if (timedOut(task)) printWaits(task.name)
  if (task.result?.state === 'fail') for (const report of await reportPages()) console.error(report)
})

// biome-ignore lint/correctness/noEmptyPattern: the runner insists on a pattern
afterAll(({}, file) => {
  const suites = [file, ...file.tasks]
  for (const suite of suites) if (suite.type === 'suite' && timedOut(suite)) printWaits(`a hook of '${suite.name}'`)
})
