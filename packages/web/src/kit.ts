// `@plinth/web`: what the pages of modules are made of, beside the components of `@mantine/core`.

export type { LiveChange, SessionUser } from '@plinth/client'
export { client, get, request } from './api/client.ts'
export { useDirectory } from './api/directory.ts'
export { useIsOn } from './api/modules.ts'
export { readAgain, readAllAgain } from './api/read-again.ts'
export type { Item } from './api/records.ts'
export { AsyncButton } from './common/async-button.tsx'
export { chartMargin, gridProps, valueAxis } from './common/axis-props.ts'
export { ConfirmButton } from './common/confirm-button.tsx'
export { CopyText } from './common/copy-text.tsx'
export { Dialog } from './common/dialog.tsx'
export { commonTexts } from './common/dictionary.ts'
export { Empty } from './common/empty.tsx'
export { AddEntry, EntryFault, RemoveEntry } from './common/entries.tsx'
export { initialsOf } from './common/initials.ts'
export { Loading } from './common/loading.tsx'
export { notify, notifyProblem } from './common/notify.ts'
export { PageHeader } from './common/page-header.tsx'
export { ProblemAlert } from './common/problem-alert.tsx'
export { faultText, faultTextsByField, useProblemText } from './common/problem-text.ts'
export type { InputProps, ValueProps } from './common/records/widgets/widget.ts'
export { saveFile, saveLink } from './common/save-file.ts'
export { MorePages } from './common/show-more.tsx'
export { type SimpleColumn, SimpleTable } from './common/simple-table.tsx'
export { SubNavigation, type SubPage } from './common/sub-navigation.tsx'
export { type TextField, TextForm, type TextFormProps, type TextValues } from './common/text-form.tsx'
export { type Dictionary, defineDictionary } from './i18n/define-dictionary.ts'
export { useText as useTexts } from './i18n/dictionary.ts'
export { type Formats, useFormats } from './i18n/format.ts'
export { type Language, useLanguage } from './i18n/language.ts'
export { type PageTitle, useTitles } from './i18n/title.ts'
export { BarChart, type ChartProps, type ChartRow, LineChart } from './kit/charts.tsx'
export {
  type ActionContext,
  type Area,
  type AreaIcon,
  type AreaPage,
  type Card,
  defineArea,
  defineCard,
  defineListAction,
  defineRecordAction,
  defineRecordTab,
  defineWeb,
  defineWidget,
  type FieldWidget,
  type ListAction,
  type RecordAction,
  type RecordData,
  type RecordTab,
  type RecordTabProps,
  type Web,
} from './kit/define-web.ts'
export { FileDrop, type FileDropProps } from './kit/file-drop.tsx'
export type { EndpointFormProps, RecordFormProps } from './kit/forms.tsx'
export { hooksFor, type WebHooks } from './kit/hooks.ts'
export { RecordPicker, type RecordPickerProps } from './kit/record-picker.tsx'
export { useChanges, useLive } from './live/use-live.ts'
export { hasSignedInRecently } from './session/before-act.ts'
export { draftOf, StoredDraft, useDraft } from './session/drafts.ts'
export { createPasskey, supportsPasskeys } from './session/passkeys.ts'
export { hasRole } from './session/roles.ts'
export { type ClientSession, useSession, useUser } from './session/session.tsx'
export { NotFound } from './shell/not-found.tsx'
