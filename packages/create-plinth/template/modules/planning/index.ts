// The module: everything that belongs to planning.

import { defineModule } from 'plinth'
import { completeTask } from './complete-task.ts'
import { demoTasks } from './demo-tasks.ts'
import { tasks } from './tasks.ts'

export const planning = defineModule({
  name: 'planning',
  about: 'Tasks and when they are due.',
  resources: [tasks],
  endpoints: [completeTask],
  seeds: [demoTasks],
})
