import { defineJob } from 'plinth'
import { loans } from './loans.ts'

export const markOverdue = defineJob({
  name: 'mark-overdue-loans',
  about: { en: 'Marks loans that are overdue.', de: 'Kennzeichnet überfällige Ausleihen.' },
  cron: '5 0 * * *',
  run: async ({ records, now, signal }) => {
    const today = now.toISOString().slice(0, 10)
    const late = { returned: null, overdue: false, due: { lt: today } }
    for await (const batch of records.stream(loans, { where: late })) {
      signal.throwIfAborted()
      for (const { pk } of batch) await records.update(loans, pk, { overdue: true })
    }
  },
})
