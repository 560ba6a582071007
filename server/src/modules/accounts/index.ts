export { identifyDemoCaller } from './demo-caller.ts'
