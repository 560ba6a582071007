/** A clock that tests set. */
export const createClock = (start = '2030-01-01T12:00:00Z') => {
  let time = Date.parse(start)
  return {
    now: () => new Date(time),
    pass: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

export const seconds = 1000
export const minutes = 60 * seconds
export const days = 24 * 60 * minutes
