// Many conditions on related records cost as much as they are many, also when nothing fulfils all of them.

import { featureDatabases } from '@plinth/test-kit/databases'
import { startService } from '@plinth/test-kit/service'
import { expect, test } from 'vitest'

test.each(featureDatabases(import.meta.url))('on %s', async database => {
  const service = await startService(database)
  try {
    const find = async (path: string, condition: string, last: string) => {
      const filter = [...Array.from({ length: 20 }, () => `${condition}==e*`), `${condition}==${last}`].join(';')
      const { status, body } = await service.as('admin').get(`/api/rest/${path}?filter=${filter}&_ps=500`, {
        Accept: 'application/json',
      })
      return [status, body.page.totalElements]
    }
    expect(await find('continents', 'children.languages', 'nobody-speaks-this')).toEqual([200, 0])
    expect((await find('continents', 'children.languages', 'e*'))[1]).toBeGreaterThan(0)
    expect(await find('countries', 'languages', 'nobody-speaks-this')).toEqual([200, 0])
  } finally {
    await service.stop()
  }
})
