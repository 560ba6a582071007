// How much a test run covers. `npm test` takes samples of what repeats itself: kills, random runs, screens × themes, features ×
// databases. `npm run test:all` runs the full product.

export const runsAll = process.env.TEST_ALL === 'true'

export const extent = <T>(sample: T, whole: T): T => (runsAll ? whole : sample)
