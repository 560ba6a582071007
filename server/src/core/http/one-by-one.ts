// Tasks that run one in each turn of the event loop, in order: however many there are, they delay others by one task at most.

export type OneByOne = (task: () => void) => void

export const createOneByOne = (): OneByOne => {
  const queue: (() => void)[] = []
  const next = (): void => {
    const task = queue.shift()
    if (queue.length > 0) setImmediate(next)
    task?.()
  }
  return task => {
    queue.push(task)
    if (queue.length === 1) setImmediate(next)
  }
}
