/** How many processes this one has started that still run, such as those that read for a service on SQLite. */
export const childProcesses = (): number =>
  process.getActiveResourcesInfo().filter(name => name === 'ProcessWrap').length
