import { defineApp } from 'plinth'
import { workshop } from './modules/workshop/index.ts'

export default defineApp({
  name: 'Workshop',
  modules: [workshop],
  settings: { 'app.api.strictBodies': true, 'app.api.problemBodies': true },
})
