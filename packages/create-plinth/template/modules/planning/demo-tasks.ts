// A few tasks for demo mode.

import type { Seed } from 'plinth'
import { tasks } from './tasks.ts'

export const demoTasks: Seed = {
  name: 'planning.demo-tasks',
  demo: true,
  run: async ({ records }) => {
    await records.create(tasks, { title: 'Read the README', done: true })
    await records.create(tasks, { title: 'Add a field to modules/planning/tasks.ts' })
    await records.create(tasks, { title: 'Generate a resource' })
  },
}
