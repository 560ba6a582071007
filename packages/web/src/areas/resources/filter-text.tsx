// A filter in the service's own language, with the place of a mistake.

import { Anchor, Box, Button, Group, Text, TextInput } from '@mantine/core'
import { ApiProblem } from '@plinth/client'
import { useState } from 'react'
import { commonTexts } from '../../common/dictionary.ts'
import { faultText } from '../../common/problem-text.ts'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { useText } from '../../i18n/dictionary.ts'
import classes from './filter-text.module.css'

/** Is the problem about the filter? */
export const isFilterProblem = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem &&
  error.status === 400 &&
  (error.code === 'bad_filter' || error.faults.some(({ parameter }) => parameter === 'filter'))

interface MistakeProps {
  readonly error: ApiProblem
  readonly text: string
  /** The place where the text begins in the filter that was sent. */
  readonly textAt: number
}

const Mistake = ({ error, text, textAt }: MistakeProps) => {
  const faults = error.faults.filter(({ parameter }) => parameter === undefined || parameter === 'filter')
  return (
    <Box role="alert" mt="xs">
      {faults.map(fault => {
        const { message, position } = fault
        const at = position === undefined ? null : Math.min(Math.max(position - textAt, 0), text.length)
        return (
          <Box key={message}>
            {at !== null && text !== '' && (
              <pre className={classes.place} aria-hidden>
                {`${text}\n${' '.repeat(at)}^`}
              </pre>
            )}
            <Text size="sm" c="var(--mantine-color-error)">
              {faultText(fault)}
            </Text>
          </Box>
        )
      })}
      {faults.length === 0 && (
        <Text size="sm" c="var(--mantine-color-error)">
          {error.message}
        </Text>
      )}
    </Box>
  )
}

interface FilterTextProps {
  readonly text: string
  readonly textAt: number
  readonly example: string
  readonly error: unknown
  readonly onApply: (text: string) => void
}

export const FilterText = ({ text, textAt, example, error, onApply }: FilterTextProps) => {
  const t = useText(resourceTexts)
  const common = useText(commonTexts)
  const [typed, setTyped] = useState(text)
  const [known, setKnown] = useState(text)
  if (text !== known) {
    setKnown(text)
    setTyped(text)
  }
  return (
    <Box className="surface" p="md">
      <form
        onSubmit={event => {
          event.preventDefault()
          onApply(typed)
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('filterLabel')}
            description={t('filterHint', { example })}
            value={typed}
            onChange={event => setTyped(event.currentTarget.value)}
            error={isFilterProblem(error)}
            style={{ flex: '1 1 20rem' }}
            classNames={{ input: classes.input }}
            spellCheck={false}
            autoCapitalize="off"
          />
          <Button type="submit">{t('apply')}</Button>
          <Button variant="default" onClick={() => onApply('')} disabled={text === '' && typed === ''}>
            {common('clear')}
          </Button>
        </Group>
      </form>
      {isFilterProblem(error) && <Mistake error={error} text={text} textAt={textAt} />}
      <Anchor href="/docs/queries.html#filters" size="sm" mt="xs" display="inline-block">
        {t('explainFilter')}
      </Anchor>
    </Box>
  )
}
