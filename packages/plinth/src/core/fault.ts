// Faults: what is wrong with one value or one part of a request. Each has a stable code, parameters, and a message in every language of its
// declaration.

import { fieldFaults } from './field-faults.ts'
import { requestFaults } from './request-faults.ts'
import { inLanguage, type Text, type Translations } from './text.ts'

export type FaultParams = Readonly<Record<string, string | number | readonly string[]>>

/** What is wrong, without where. */
export interface FaultReason {
  readonly code: string
  /** The message in English. Callers get it in their language, made from the code and the parameters. */
  readonly message: string
  readonly params?: FaultParams
  /** The message in further languages, where code and parameters do not make it. It is not sent. */
  readonly texts?: Translations
}

/** The codes of faults and their messages. `{name}` stands for a parameter, `{message}` for a message in free form. */
export type FaultTable = Readonly<Record<string, Text>>

type ParamNames<Message> = Message extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never

type English<Message extends Text> = Message extends { readonly en: infer One } ? One : Message

type ParamsOf<Message extends Text> = [ParamNames<English<Message>>] extends [never]
  ? []
  : [
      params: {
        readonly [Name in ParamNames<English<Message>>]: Name extends 'message' ? Text : FaultParams[string]
      },
    ]

/** Refuses a translation with a sentence, if it names a parameter that the English message does not have. */
type CheckedFaults<Table extends FaultTable> = { readonly [Code in keyof Table]: CheckedMessage<Table[Code]> }

type CheckedMessage<Message extends Text> = Message extends string
  ? Message
  : {
      readonly [Language in keyof Message]: [
        Exclude<ParamNames<Message[Language]>, ParamNames<English<Message>>>,
      ] extends [never]
        ? Message[Language]
        : `The English message has no {${Exclude<ParamNames<Message[Language]>, ParamNames<English<Message>>>}}.`
    }

type FormatParam = (value: FaultParams[string]) => string

const plain: FormatParam = value => (typeof value === 'object' ? value.join(', ') : String(value))

/** A message with its parameters, as a language writes them. */
export const fillMessage = (template: string, params: FaultParams, format: FormatParam = plain): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => format(params[name] ?? ''))

/** Makes faults of a table; the compiler checks their parameters. */
export interface FaultMaker<Table extends FaultTable> {
  <Code extends keyof Table & string>(code: Code, ...params: ParamsOf<Table[Code]>): FaultReason
  readonly table: Table
}

/**
 * Declares faults; what it returns makes one of them.
 *
 * @example
 * export const libraryFault = defineFaults({
 *   isbn: { en: 'must be an ISBN of {digits} digits', de: 'Geben Sie eine ISBN mit {digits} Ziffern ein.' },
 * })
 * libraryFault('isbn', { digits: 13 })
 */
export const defineFaults = <const Table extends FaultTable>(
  table: Table & CheckedFaults<Table>,
): FaultMaker<Table> => {
  const make = <Code extends keyof Table & string>(code: Code, ...[params]: ParamsOf<Table[Code]>): FaultReason => {
    const { message, ...named }: { readonly message?: Text } & FaultParams = { ...params }
    const template: Text = table[code] ?? code
    const text = (language: string): string =>
      fillMessage(inLanguage(template, language), {
        ...named,
        ...(message !== undefined && { message: inLanguage(message, language) }),
      })
    return {
      code,
      message: text('en'),
      ...(Object.keys(named).length > 0 && { params: named }),
      ...(typeof message === 'object' && {
        texts: Object.fromEntries(Object.keys(message).map(language => [language, text(language)])),
      }),
    }
  }
  return Object.assign(make, { table })
}

/**
 * The faults of the platform; modules declare further ones.
 *
 * @example throw new Problem('invalid', { errors: [{ ...fault('required'), pointer: '/email', member: 'email' }] })
 */
export const fault = defineFaults({ ...fieldFaults, ...requestFaults })
