import { BarChart, LineChart } from '../../src/kit.ts'
import { type Sheet, state } from '../sheet.ts'

const months = [4, 7, 5, 12, 9, 14].map((count, at) => ({ month: `2030-0${at + 1}`, count }))
const value = { key: 'count', label: 'Loans', format: String }

export const charts: Sheet = {
  name: 'charts',
  shows: ['BarChart', 'LineChart'],
  states: [
    state('bars', <BarChart data={months} name="month" value={value} />),
    state('a line', <LineChart data={months} name="month" value={value} />),
    state('without data', <BarChart data={[]} name="month" value={value} height={120} />),
  ],
}
