import { Box, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionProps {
  readonly title: string
  readonly about?: string
  /** A mark beside the title. */
  readonly mark?: ReactNode
  readonly children: ReactNode
}

export const Section = ({ title, about, mark, children }: SectionProps) => (
  <Box component="section" className="surface" p={{ base: 'sm', sm: 'lg' }} mb="md">
    <Group gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      {mark}
    </Group>
    {about && (
      <Text size="sm" c="dimmed" mt={2}>
        {about}
      </Text>
    )}
    <Box mt="md">{children}</Box>
  </Box>
)
