import type { Connection } from './driver.ts'

/** A statement that failed fails its transaction, on every database, even if the work goes on as if nothing was. */
export const untilFailure = async <T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
): Promise<T> => {
  const failures: unknown[] = []
  const value = await work({
    ...connection,
    rows: (sql, cells) =>
      connection.rows(sql, cells).catch(error => {
        failures.push(error)
        throw error
      }),
  })
  if (failures.length > 0) throw failures[0]
  return value
}
