// What one can do about a person: the likely things as buttons, the grave ones in a menu, and only when one is sure.

import { ActionIcon, Group, Menu } from '@mantine/core'
import { AsyncButton, useTexts } from '@plinth/web'
import { IconDots } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { friendsTexts } from './dictionary.ts'
import { actsIn, type FriendshipAction, useFriendshipAct } from './friendship-acts.ts'
import { nameOf, type StandingState } from './people.ts'
import type { PersonSummary } from './service.ts'
import { SureDialog } from './sure-dialog.tsx'

const prominent: Partial<
  Record<FriendshipAction, 'askNamed' | 'withdrawNamed' | 'acceptNamed' | 'refuseNamed' | 'unblockNamed'>
> = {
  ask: 'askNamed',
  withdraw: 'withdrawNamed',
  accept: 'acceptNamed',
  refuse: 'refuseNamed',
  unblock: 'unblockNamed',
}

export interface ActsProps {
  readonly person: PersonSummary
  readonly state: StandingState
}

export const FriendshipActs = ({ person, state }: ActsProps) => {
  const t = useTexts(friendsTexts)
  const act = useFriendshipAct()
  const [asking, setAsking] = useState<'remove' | 'block' | null>(null)
  const menu = useRef<HTMLButtonElement>(null)
  const name = nameOf(person)
  const acts = actsIn[state]
  const rare = acts.filter(one => one === 'remove' || one === 'block')
  return (
    <Group gap="xs" wrap="nowrap">
      {acts.map(one => {
        const label = prominent[one]
        if (!label) return null
        return (
          <AsyncButton
            key={one}
            size="xs"
            variant={one === 'accept' || one === 'ask' ? 'filled' : 'default'}
            aria-label={t(label, { name })}
            onPress={() => act(one, person, state)}
          >
            {t(one)}
          </AsyncButton>
        )
      })}
      {rare.length > 0 && (
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <ActionIcon ref={menu} variant="subtle" color="gray" size="lg" aria-label={t('moreFor', { name })}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {rare.map(one => (
              <Menu.Item key={one} c="var(--mantine-color-error)" onClick={() => setAsking(one)}>
                {t(one)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <SureDialog
        asking={asking}
        name={name}
        onClose={() => setAsking(null)}
        onClosed={() => menu.current?.focus()}
        onSure={one => act(one, person, state)}
      />
    </Group>
  )
}
