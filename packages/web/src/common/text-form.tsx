// A form of a few lines of text, such as sign-in: the browser keeps what is typed, and password managers find their way.

import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent, HTMLInputAutoCompleteAttribute, ReactNode } from 'react'
import { toText, useText } from '../i18n/dictionary.ts'
import { useLanguage } from '../i18n/language.ts'
import { commonTexts, problemTexts } from './dictionary.ts'
import { useKeptFocus } from './kept-focus.ts'
import { ProblemAlert } from './problem-alert.tsx'
import { faultTextsByField } from './problem-text.ts'

/** One line of text. */
export interface TextField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly type?: 'text' | 'email' | 'password'
  readonly autoComplete?: HTMLInputAutoCompleteAttribute
  readonly inputMode?: 'numeric' | 'email'
  readonly required?: boolean
  readonly value?: string
}

/** What was entered, by the names of the fields. */
export type TextValues<N extends string> = Readonly<Record<N, string>>

/** What `TextForm` takes. */
export interface TextFormProps<N extends string> {
  readonly fields: readonly (TextField & { readonly name: N })[]
  readonly submit: string
  readonly onSubmit: (values: TextValues<N>) => Promise<void>
  /** Puts a problem into better words, or null to show it as it is. */
  readonly explain?: (error: unknown) => string | null
  readonly autoFocus?: boolean
  /** Is called to leave a form that one has opened. */
  readonly onCancel?: () => void
  /** The content above the button. */
  readonly children?: ReactNode
}

const read = <N extends string>(form: HTMLFormElement, names: readonly N[]): TextValues<N> => {
  const data = new FormData(form)
  return Object.fromEntries(names.map(name => [name, String(data.get(name) ?? '')])) as TextValues<N>
}

/**
 * A form of a few lines of text with one button. Problems of a field stand beside it.
 *
 * @example
 * <TextForm fields={[{ name: 'code', label: 'Code', required: true }]} submit="Check" onSubmit={({ code }) => check(code)} />
 */
export const TextForm = <N extends string>(props: TextFormProps<N>) => {
  const { fields, submit, onSubmit, explain, autoFocus = false, onCancel, children } = props
  const t = useText(commonTexts)
  const language = useLanguage()
  const { mutate, error, isPending } = useMutation({ mutationFn: onSubmit })
  const submitButton = useKeptFocus(isPending)
  const faults = faultTextsByField(error, { labelOf: name => fields.find(field => field.name === name)?.label })
  const names = fields.map(({ name }) => name)
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(read(event.currentTarget, names))
  }
  // What stands beside the fields is not said twice.
  const isToldInPlace = faults.size > 0 && names.filter(name => faults.has(name)).length === faults.size
  const inPlace = isToldInPlace ? toText(problemTexts, language)('invalid') : null
  const explained = error === null ? null : (explain?.(error) ?? inPlace)
  return (
    <form onSubmit={send}>
      <Stack gap="md" maw={440}>
        {fields.map(({ hint, value, type = 'text', ...field }, at) => {
          const fault = faults.get(field.name)
          const Input = type === 'password' ? PasswordInput : TextInput
          return (
            <Input
              key={field.name}
              {...field}
              {...(type === 'password' ? {} : { type })}
              description={hint}
              defaultValue={value}
              error={fault}
              // The library leaves it out of fields for passwords.
              aria-invalid={fault ? true : undefined}
              data-autofocus={(autoFocus && at === 0) || undefined}
              autoFocus={autoFocus && at === 0}
            />
          )
        })}
        {children}
        <ProblemAlert error={explained === null ? error : new Error(explained)} fieldsWithErrors={new Set(names)} />
        <Button ref={submitButton} type="submit" loading={isPending}>
          {submit}
        </Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
        )}
      </Stack>
    </form>
  )
}
