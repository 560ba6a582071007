import { defineEndpoint } from 'plinth'
import { tasks } from './tasks.ts'

export const completeTask = defineEndpoint({
  method: 'POST',
  path: '/api/rest/tasks/{pk}/complete',
  id: 'completeTask',
  summary: 'Mark a task as done',
  params: { pk: 'The task.' },
  access: 'caller.signedIn',
  answers: { 200: tasks },
  problems: [404],
  run: ({ params, records }) => records.update(tasks, params.pk, { done: true }),
})
