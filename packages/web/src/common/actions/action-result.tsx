// What an endpoint answers: values that are no record are shown until the dialog is closed, such as a secret that is shown once.

import { Button, Code, Group, Stack, Table } from '@mantine/core'
import { useText } from '../../i18n/dictionary.ts'
import { commonTexts } from '../dictionary.ts'
import { actionTexts } from './dictionary.ts'

/** A text, or values by their names. */
export type Result = string | Readonly<Record<string, unknown>>

const isRecord = (body: object): boolean => 'pk' in body && ('version' in body || 'links' in body)

/** Null for answers without anything to show: a record is shown on its own page. */
export const resultOf = (body: unknown): Result | null => {
  if (typeof body === 'string') return body === '' ? null : body
  if (typeof body !== 'object' || body === null || isRecord(body)) return null
  return Array.isArray(body) ? { '': body } : { ...body }
}

/** `previousUntil` → `Previous until`. */
const inWords = (name: string): string => {
  const words = name.replace(/([a-z0-9])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const Value = ({ value }: { readonly value: unknown }) => {
  const t = useText(actionTexts)
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (typeof value === 'object') return <Code block>{JSON.stringify(value, null, 2)}</Code>
  return <span style={{ overflowWrap: 'anywhere' }}>{String(value)}</span>
}

export const ResultValues = ({ result, label }: { readonly result: Result; readonly label: string }) =>
  typeof result === 'string' ? (
    <Code block>{result}</Code>
  ) : (
    <Table aria-label={label}>
      <Table.Tbody>
        {Object.entries(result).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{inWords(name)}</Table.Th>
            <Table.Td>
              <Value value={value} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )

export const ActionResult = ({ result, onClose }: { readonly result: Result; readonly onClose: () => void }) => {
  const t = useText(commonTexts)
  const texts = useText(actionTexts)
  return (
    <Stack>
      <ResultValues result={result} label={texts('result')} />
      <Group justify="flex-end">
        <Button onClick={onClose} autoFocus>
          {t('close')}
        </Button>
      </Group>
    </Stack>
  )
}
