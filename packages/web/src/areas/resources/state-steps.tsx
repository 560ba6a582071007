// The steps of state machines as buttons on the page of a record.

import { IconArrowRight } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type Item, recordPath, recordsOf } from '../../api/records.ts'
import { AsyncButton } from '../../common/async-button.tsx'
import { ConfirmButton } from '../../common/confirm-button.tsx'
import { notify, notifyProblem } from '../../common/notify.ts'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { fieldsFor } from '../../common/records/schema.ts'
import { canStepBack, isFinal, nextStates } from '../../common/records/states.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import { itemKey } from '../../common/records/use-item.ts'
import { optionText } from '../../common/records/value-text.ts'
import type { FieldWithWidget } from '../../common/records/widgets/widget.ts'
import { useText } from '../../i18n/dictionary.ts'
import { offerUndo, withdrawUndo } from './undo.tsx'

interface StateStepsProps {
  readonly schema: Schema
  readonly record: Item
}

export const StateSteps = ({ schema, record }: StateStepsProps) => {
  const machines = schema.rights.patch
    ? fieldsFor(schema, 'update').filter(({ transitions, isLocked }) => transitions && !isLocked)
    : []
  return machines.flatMap(field =>
    nextStates(field, record[field.name]).map(state => (
      <Step key={`${field.name} ${state}`} schema={schema} record={record} field={field} state={state} />
    )),
  )
}

interface StepProps extends StateStepsProps {
  readonly field: FieldWithWidget
  readonly state: string
}

const Step = ({ schema, record, field, state }: StepProps) => {
  const t = useText(resourceTexts)
  const client = useQueryClient()
  const { pathFragment: resource } = schema
  const { pk } = record
  const path = recordPath(resource, pk)
  const label = optionText(state, field)
  const change = async (to: unknown, from: Item) => {
    const saved = await recordsOf(resource).update(from, { [field.name]: to })
    client.setQueryData(itemKey(resource, pk), saved)
    void client.invalidateQueries({ queryKey: ['rows'] })
    return saved
  }
  const take = async () => {
    withdrawUndo(path)
    const saved = await change(state, record)
    const before = record[field.name]
    const message = t('stateChanged', { label: field.label, state: label })
    const isChanged = saved.version !== record.version
    if (!isChanged || !canStepBack([field], { [field.name]: before }, saved)) return notify(message)
    offerUndo({ path, message, undo: () => change(before, saved) })
  }
  const icon = <IconArrowRight size={16} aria-hidden />
  const name = t('stepTo', { label: field.label, state: label })
  if (isFinal(field, state))
    return (
      <ConfirmButton
        variant="light"
        color="brand"
        leftSection={icon}
        aria-label={name}
        question={t('stepQuestion', { label: field.label, state: label })}
        explanation={t('stepIsFinal')}
        onConfirm={take}
      >
        {label}
      </ConfirmButton>
    )
  return (
    <AsyncButton variant="light" leftSection={icon} aria-label={name} onPress={take} onProblem={notifyProblem}>
      {label}
    </AsyncButton>
  )
}
