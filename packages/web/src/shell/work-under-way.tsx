import { Button, Group, Loader, Popover, Stack, Text, UnstyledButton } from '@mantine/core'
import { Link } from 'react-router'
import { commonTexts } from '../common/dictionary.ts'
import { useWork } from '../common/work.ts'
import { useText } from '../i18n/dictionary.ts'
import { shellTexts } from './dictionary.ts'

/** What goes on in the background, with its progress; each can be looked at and ended. */
const WorkUnderWay = () => {
  const t = useText(shellTexts)
  const common = useText(commonTexts)
  const works = [...useWork()]
  const [first] = works
  if (!first) return null
  return (
    <Popover position="bottom-end" shadow="md" width={320}>
      <Popover.Target>
        <UnstyledButton aria-label={t('work', { count: works.length })} className="surface" px="xs" py={4}>
          <Group gap="xs" wrap="nowrap">
            <Loader size={14} aria-hidden />
            <Text size="sm" visibleFrom="sm" lineClamp={1}>
              {first[1].status}
            </Text>
          </Group>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack>
          {works.map(([name, { title, status, page, cancel }]) => (
            <Stack key={name} gap={4}>
              <Text fw={600} size="sm">
                {title}
              </Text>
              <Text size="sm" role="status">
                {status}
              </Text>
              <Group gap="xs">
                <Button component={Link} to={page} size="compact-sm" variant="light">
                  {t('showWork')}
                </Button>
                <Button size="compact-sm" variant="default" onClick={cancel}>
                  {common('cancel')}
                </Button>
              </Group>
            </Stack>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

export default WorkUnderWay
