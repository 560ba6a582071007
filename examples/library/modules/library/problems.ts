import { defineProblems } from 'plinth'

export const libraryProblem = defineProblems({
  no_copies: { status: 409, title: 'No copy left', meaning: 'All copies of the book are on loan.' },
  returned: { status: 409, title: 'Already returned', meaning: 'The book has been returned before.' },
})
