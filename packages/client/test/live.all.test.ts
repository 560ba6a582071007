// 1,000 changes while the connection is lost 20 times: none is lost, none arrives twice.

import { databases } from '@plinth/test-kit/databases'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectEveryChangeOnce, type LiveScene, startLiveScene, transports } from './live-scene.ts'

describe.each(databases)('%s', database => {
  let scene: LiveScene
  beforeAll(async () => {
    scene = await startLiveScene(database)
  })
  afterAll(() => scene.stop())

  test.each(transports)('1,000 changes arrive once and in order through 20 lost connections: %s', async transport =>
    expectEveryChangeOnce(scene, { transport, drops: 20, changesPerDrop: 50 }),
  )
})
