import { defineProblems } from 'plinth'

export const workshopProblem = defineProblems({
  not_enough_parts: {
    status: 409,
    title: 'Not enough parts',
    meaning: 'The shop has fewer parts of this kind in stock.',
  },
})
