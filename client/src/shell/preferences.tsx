// Language and colours.

import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import { useText } from '../i18n/dictionary.ts'
import { chooseLanguage, type Language, languages, useLanguage } from '../i18n/language.ts'
import { shellTexts } from './dictionary.ts'

const schemes = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const
type Scheme = keyof typeof schemes

const Chosen = ({ is }: { readonly is: boolean }) => (is ? <IconCheck size={14} aria-hidden /> : null)

export const Preferences = () => {
  const t = useText(shellTexts)
  const language = useLanguage()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Icon = schemes[colorScheme]
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('language')}>
            <IconLanguage size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(languages) as Language[]).map(one => (
            <Menu.Item
              key={one}
              lang={one}
              onClick={() => chooseLanguage(one)}
              rightSection={<Chosen is={one === language} />}
              aria-current={one === language}
            >
              {languages[one]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('theme')}>
            <Icon size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(schemes) as Scheme[]).map(scheme => (
            <Menu.Item
              key={scheme}
              onClick={() => setColorScheme(scheme)}
              rightSection={<Chosen is={scheme === colorScheme} />}
              aria-current={scheme === colorScheme}
            >
              {t(scheme)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
