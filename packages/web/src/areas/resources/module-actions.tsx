// Buttons of modules that run code in the browser.

import { useNavigate } from 'react-router'
import { AsyncButton } from '../../common/async-button.tsx'
import { notify } from '../../common/notify.ts'
import { useTitles } from '../../i18n/title.ts'
import type { ActionContext, AreaIcon, ListAction, PageTitle, RecordData } from '../../kit/define-web.ts'
import { useListActions, useRecordActions } from '../../module-pages/use-parts-of-records.ts'

const useActionContext = (): ActionContext => {
  const navigate = useNavigate()
  return { notify, open: path => void navigate(path) }
}

interface ModuleActionProps {
  readonly title: PageTitle
  readonly icon: AreaIcon | undefined
  readonly isPossible?: boolean
  readonly onPress: () => Promise<void> | void
}

const ModuleAction = ({ title, icon: Icon, isPossible = true, onPress }: ModuleActionProps) => {
  const titleOf = useTitles()
  return (
    <AsyncButton
      variant="default"
      leftSection={Icon && <Icon size={16} />}
      disabled={!isPossible}
      onPress={async () => onPress()}
    >
      {titleOf(title)}
    </AsyncButton>
  )
}

export const ModuleRecordActions = ({
  resource,
  record,
}: {
  readonly resource: string
  readonly record: RecordData
}) => {
  const context = useActionContext()
  return useRecordActions(resource).map(action => (
    <ModuleAction
      key={JSON.stringify(action.title)}
      title={action.title}
      icon={action.icon}
      isPossible={action.isPossible?.(record) ?? true}
      onPress={() => action.run(record, context)}
    />
  ))
}

export const ModuleListActions = ({ resource }: Pick<ListAction, 'resource'>) => {
  const context = useActionContext()
  return useListActions(resource).map(action => (
    <ModuleAction
      key={JSON.stringify(action.title)}
      title={action.title}
      icon={action.icon}
      onPress={() => action.run(context)}
    />
  ))
}
