// What columns of reports are called, and how their values are written.

import { useText } from '../../i18n/dictionary.ts'
import { useLanguage } from '../../i18n/language.ts'
import { toFieldUse } from '../records/schema.ts'
import { useWords, valueText } from '../records/value-text.ts'
import { reportTexts } from './dictionary.ts'
import { type Group, valueIn } from './groups.ts'
import { periodText } from './period-text.ts'
import type { ReportColumn } from './reports.ts'

export interface ReportWords {
  readonly titleOf: (column: ReportColumn) => string
  readonly textOf: (column: ReportColumn, value: unknown) => string
  /** The value of the column in a group. */
  readonly cellOf: (column: ReportColumn, group: Group) => string
}

export const useReportWords = (): ReportWords => {
  const t = useText(reportTexts)
  const words = useWords()
  const language = useLanguage()
  const titleOf = ({ label = '', function: computed, period }: ReportColumn): string => {
    if (computed === 'count') return t('count')
    if (period === 'week') return t('week', { field: label })
    return computed === undefined || computed === 'sum' ? label : t(computed, { field: label })
  }
  const textOf = ({ name, field, period, function: computed }: ReportColumn, value: unknown): string => {
    if (value === null || value === undefined) return computed === undefined ? t('missing') : ''
    if (period && typeof value === 'string') return periodText(value, period, { language, formats: words.formats })
    return valueText(value, toFieldUse(name, field), words)
  }
  return { titleOf, textOf, cellOf: (column, group) => textOf(column, valueIn(group, column)) }
}
