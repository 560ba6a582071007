import { defineApp } from 'plinth'
import { planning } from './modules/planning/index.ts'

export default defineApp({
  name: '__TITLE__',
  modules: [planning],
  settings: {
    'app.api.strictBodies': true,
    'app.api.problemBodies': true,
    'app.passwords.minScore': 3,
    'app.passwords.words': ['__TITLE__'],
  },
})
