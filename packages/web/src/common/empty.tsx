import { Center, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconMoodEmpty } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'

interface EmptyProps {
  readonly title: string
  readonly text?: string
  readonly icon?: ComponentType<{ size?: number }>
  /** What one can do about it. */
  readonly children?: ReactNode
}

/** Shows that a list has nothing to show. */
export const Empty = ({ title, text, icon: Icon = IconMoodEmpty, children }: EmptyProps) => (
  <Center py="xl" px="md">
    <Stack align="center" gap="xs" maw={420}>
      <ThemeIcon size={52} radius="xl" variant="light" color="gray" aria-hidden>
        <Icon size={28} />
      </ThemeIcon>
      <Text fw={600} ta="center">
        {title}
      </Text>
      {text && (
        <Text c="dimmed" size="sm" ta="center">
          {text}
        </Text>
      )}
      {children}
    </Stack>
  </Center>
)
