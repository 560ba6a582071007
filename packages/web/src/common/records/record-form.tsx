// A form for the fields that one may write, drawn from the service's description.

import { Alert, Button, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { isProblem } from '@plinth/client'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, type LinkProps, useLocation } from 'react-router'
import { useText } from '../../i18n/dictionary.ts'
import { useLanguage } from '../../i18n/language.ts'
import { useSession } from '../../session/session.tsx'
import { commonTexts } from '../dictionary.ts'
import { ProblemAlert } from '../problem-alert.tsx'
import { faultTextsByField } from '../problem-text.ts'
import { signInPath } from '../sign-in-path.ts'
import { brokenChecks } from './checks.ts'
import { resourceTexts } from './dictionary.ts'
import { FieldInput } from './field-input.tsx'
import { type FormValues, isSame } from './form-values.ts'
import type { RecordCheck } from './ui-schema.ts'
import { partsOf } from './widgets/structure.tsx'
import type { FieldWithWidget } from './widgets/widget.ts'

interface RecordFormProps {
  readonly fields: readonly FieldWithWidget[]
  readonly values: FormValues
  /** Checks over several fields, which the form evaluates while it is edited. */
  readonly checks?: readonly RecordCheck[] | undefined
  /** The record as it is now; null for a new one. */
  readonly record?: FormValues | null
  readonly onChange: (values: FormValues) => void
  readonly error: unknown
  readonly isPending: boolean
  /** The percentage of the files that has been sent, while that is under way. */
  readonly percentSent?: number | null
  readonly onSubmit: () => void
  /** The words on the button; "Save" unless given. */
  readonly submit?: string | undefined
  /** The place to go without saving, if any. */
  readonly cancel?: Pick<LinkProps, 'to' | 'state'>
  /** What is done without saving, where it is not another page. */
  readonly onCancel?: (() => void) | undefined
}

/** The first fault is where a person has to go next. */
const useFocusOnFault = (error: unknown) => {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  return form
}

/** The values that the service refused: a fault is out of date once its field has another value. */
const useRefusedValues = (error: unknown, values: FormValues): FormValues => {
  const [refused, setRefused] = useState({ error, values })
  if (refused.error !== error) setRefused({ error, values })
  return refused.values
}

/** Says whether the session ended after the form was opened. */
const useSessionEnded = (error: unknown): boolean => {
  const { user } = useSession()
  const [wasSignedIn] = useState(user !== null)
  return wasSignedIn && (user === null || isProblem(error, 'unauthorized'))
}

const SessionEnded = () => {
  const t = useText(resourceTexts)
  const { pathname, search } = useLocation()
  return (
    <Alert role="alert" color="yellow" icon={<IconAlertTriangle aria-hidden />} title={t('sessionEnded')}>
      <Text size="sm">{t('draftKept')}</Text>
      <Button component={Link} to={signInPath(pathname + search)} size="xs" mt="xs">
        {t('signIn')}
      </Button>
    </Alert>
  )
}

export const RecordForm = (props: RecordFormProps) => {
  const {
    fields,
    values,
    checks = [],
    record = null,
    onChange,
    error,
    isPending,
    percentSent = null,
    onSubmit,
    submit: words,
    cancel,
    onCancel,
  } = props
  const t = useText(commonTexts)
  const tell = useText(resourceTexts)
  const language = useLanguage()
  const faults = faultTextsByField(error, {
    labelOf: name => fields.find(field => field.name === name)?.label,
    partOf: ([name, ...parts]) => {
      const titles = partsOf(fields.find(field => field.name === name)?.json)
      return parts.map(part => titles[part]?.title ?? (/^\d+$/.test(part) ? `${Number(part) + 1}.` : part)).join(' ')
    },
  })
  const refused = useRefusedValues(error, values)
  const broken = brokenChecks({ checks, fields, record, error }, values, language)
  const faultOf = ({ name }: FieldWithWidget) =>
    broken.get(name) ?? (isSame(values[name], refused[name]) ? faults.get(name) : undefined)
  const form = useFocusOnFault(error)
  const isOver = useSessionEnded(error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) onSubmit()
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md" className="surface" p={{ base: 'sm', sm: 'lg' }} maw={920}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          {fields.map(field => (
            <div key={field.name} style={field.widget.isWide ? { gridColumn: '1 / -1' } : undefined}>
              <FieldInput
                field={field}
                value={values[field.name]}
                error={faultOf(field)}
                onChange={value => onChange({ ...values, [field.name]: value })}
              />
            </div>
          ))}
        </SimpleGrid>
        {isOver ? (
          <SessionEnded />
        ) : (
          <ProblemAlert error={error} fieldsWithErrors={new Set(fields.map(({ name }) => name))} />
        )}
        {isPending && percentSent !== null && (
          <Progress value={percentSent} aria-label={tell('sending', { percent: percentSent })} />
        )}
        <Group>
          <Button type="submit" loading={isPending}>
            {words ?? t('save')}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {t('cancel')}
            </Button>
          )}
          {cancel && (
            <Button component={Link} {...cancel} variant="default">
              {t('cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
