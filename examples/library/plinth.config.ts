import { defineApp } from 'plinth'
import { library } from './modules/library/index.ts'

export default defineApp({
  name: 'City library',
  modules: [library],
  settings: { 'app.api.strictBodies': true, 'app.api.problemBodies': true },
})
