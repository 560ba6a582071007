import { Anchor, Box, Code, Group, Stack, Text } from '@mantine/core'
import { isProblem } from '@plinth/client'
import { CopyText, TextForm, type TextValues, useTexts } from '@plinth/web'
import { useMemo } from 'react'
import { accountTexts } from './dictionary.ts'
import { QrCode } from './qr-code.tsx'

export interface Offer {
  readonly secret: string
  /** `otpauth:` */
  readonly uri: string
}

interface EnrolmentProps {
  readonly offer: Offer
  readonly onSubmit: (values: TextValues<'code'>) => Promise<void>
  readonly onCancel: () => void
}

export const Enrolment = ({ offer, onSubmit, onCancel }: EnrolmentProps) => {
  const t = useTexts(accountTexts)
  const groups = useMemo(() => offer.secret.match(/.{1,4}/g)?.join(' ') ?? offer.secret, [offer.secret])
  return (
    <Stack>
      <Text>{t('scan')}</Text>
      <Group align="flex-start" gap="lg">
        <QrCode text={offer.uri} label={t('qr')} />
        <Box style={{ flex: '1 1 14rem' }}>
          <Text size="sm" c="dimmed">
            {t('secret')}
          </Text>
          <Group gap="xs" mb="sm">
            <Code style={{ overflowWrap: 'anywhere' }}>{groups}</Code>
            <CopyText text={offer.secret} />
          </Group>
          <Anchor href={offer.uri} size="sm">
            {t('openApp')}
          </Anchor>
        </Box>
      </Group>
      <TextForm
        fields={[
          { name: 'code', label: t('code'), autoComplete: 'one-time-code', inputMode: 'numeric', required: true },
        ]}
        submit={t('turnOn')}
        onSubmit={onSubmit}
        explain={error => (isProblem(error, 'conflict') ? t('setUpOver') : null)}
        onCancel={onCancel}
        autoFocus
      />
    </Stack>
  )
}
