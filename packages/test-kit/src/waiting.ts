// Waiting with a name, so that a test that times out can say what it waited for.

export { until, waitingFor } from '../../plinth/src/testing/waiting.ts'
