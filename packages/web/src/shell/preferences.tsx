// Language and colours.

import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useText } from '../i18n/dictionary.ts'
import { chooseLanguage, languages, useLanguage } from '../i18n/language.ts'
import { shellTexts } from './dictionary.ts'

const schemes = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const
type Scheme = keyof typeof schemes

interface ChoiceMenuProps<T extends string> {
  readonly label: string
  readonly icon: ReactNode
  readonly options: readonly T[]
  readonly chosen: T
  readonly textOf: (option: T) => string
  readonly langOf?: (option: T) => string
  readonly onChoose: (option: T) => void
}

const ChoiceMenu = <T extends string>(props: ChoiceMenuProps<T>) => {
  const { label, icon, options, chosen, textOf, langOf, onChoose } = props
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label}>
          {icon}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {options.map(option => (
          <Menu.Item
            key={option}
            lang={langOf?.(option)}
            onClick={() => onChoose(option)}
            rightSection={option === chosen && <IconCheck size={14} aria-hidden />}
            aria-current={option === chosen}
          >
            {textOf(option)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

export const Preferences = () => {
  const t = useText(shellTexts)
  const language = useLanguage()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const SchemeIcon = schemes[colorScheme]
  return (
    <>
      <ChoiceMenu
        label={t('language')}
        icon={<IconLanguage size={20} aria-hidden />}
        options={Object.keys(languages)}
        chosen={language}
        textOf={one => languages[one] ?? one}
        langOf={one => one}
        onChoose={chooseLanguage}
      />
      <ChoiceMenu
        label={t('theme')}
        icon={<SchemeIcon size={20} aria-hidden />}
        options={Object.keys(schemes) as Scheme[]}
        chosen={colorScheme}
        textOf={t}
        onChoose={setColorScheme}
      />
    </>
  )
}
