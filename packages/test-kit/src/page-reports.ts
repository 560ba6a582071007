// What the open pages of browsers show and what went wrong there: printed when a test fails.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** The latest of each kind that a report repeats. */
const mostFaults = 8
/** The lines of text and their length that a report repeats. */
const mostLines = 20
const longestLine = 140

/** The faults of each open page. */
const watched = new Map<Page, { readonly errors: string[]; readonly requests: string[] }>()

const add = (list: string[], fault: string): void => {
  list.push(fault)
  if (list.length > mostFaults) list.shift()
}

/** Remembers what goes wrong on the page until it is closed. */
export const watchPage = (page: Page): void => {
  const errors: string[] = []
  const requests: string[] = []
  watched.set(page, { errors, requests })
  page.on('console', message => {
    if (message.type() === 'error') add(errors, message.text())
  })
  page.on('pageerror', error => add(errors, String(error)))
  page.on('requestfailed', request => {
    add(requests, `${request.method()} ${request.url()}: ${request.failure()?.errorText ?? 'failed'}`)
  })
  page.on('response', response => {
    if (response.status() >= 400)
      add(requests, `${response.request().method()} ${response.url()}: ${response.status()}`)
  })
  page.on('close', () => watched.delete(page))
}

/** The text as people see it. */
const visibleText = '(document.querySelector("main") ?? document.body).innerText'

const textOf = (page: Page): Promise<string> =>
  Promise.race([
    page.evaluate<string>(visibleText).catch(() => 'The page cannot be read.'),
    sleep(2000, 'The page does not respond.'),
  ])

const cut = (line: string): string => (line.length > longestLine ? `${line.slice(0, longestLine)} …` : line)

/** Returns the address, the text and the faults of each open page, in 40 lines at most. */
export const reportPages = async (): Promise<string[]> => {
  const reports = [...watched].map(async ([page, { errors, requests }]) => {
    const lines = (await textOf(page)).split('\n').filter(line => line.trim() !== '')
    return [
      `The browser is at ${page.url()} and shows:`,
      ...lines.slice(0, mostLines).map(line => `  ${line.trim()}`),
      ...(errors.length > 0 ? ['Its last errors:', ...errors.map(one => `  ${one.split('\n')[0]}`)] : []),
      ...(requests.length > 0 ? ['Its last requests that failed:', ...requests.map(one => `  ${one}`)] : []),
    ].map(cut)
  })
  return Promise.all(reports.map(async one => (await one).join('\n')))
}
