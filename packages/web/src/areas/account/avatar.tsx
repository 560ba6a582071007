import { Button, FileButton, Group, Avatar as Picture, Stack, Text } from '@mantine/core'
import type { SessionUser } from '@plinth/client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '../../api/client.ts'
import { patchItem } from '../../api/records.ts'
import { AsyncButton } from '../../common/async-button.tsx'
import { initialsOf } from '../../common/initials.ts'
import { notify } from '../../common/notify.ts'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { itemKey } from '../../common/records/use-item.ts'
import { useText } from '../../i18n/dictionary.ts'
import { useSession, useUser } from '../../session/session.tsx'
import { accountTexts } from './dictionary.ts'

/** The service keeps files of any kind; a picture is one that the browser can draw. */
const isPicture = async (file: File): Promise<boolean> => {
  try {
    const bitmap = await createImageBitmap(file)
    bitmap.close()
    return true
  } catch {
    return false
  }
}

export const Avatar = () => {
  const t = useText(accountTexts)
  const user = useUser()
  const { enter } = useSession()
  const client = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const [isSending, setIsSending] = useState(false)
  const renew = async (news: string) => {
    await client.invalidateQueries({ queryKey: itemKey('users', user.pk) })
    const { body } = await request<SessionUser>('/api/auth/userDetails')
    // The address stays the same when the picture changes: a mark makes the browser look again.
    enter({ ...body, avatarUrl: body.avatarUrl && `${body.avatarUrl}?at=${Date.now()}` })
    notify(news)
  }
  const upload = async (file: File | null) => {
    if (!file || isSending) return
    setError(null)
    setIsSending(true)
    try {
      if (!(await isPicture(file))) throw new Error(t('noPicture'))
      const body = new FormData()
      body.append('avatarUrl', file)
      await request(`/api/rest/users/${user.pk}/files`, { method: 'POST', body })
      await renew(t('pictureChanged'))
    } catch (problem) {
      setError(problem)
    } finally {
      setIsSending(false)
    }
  }
  const remove = async () => {
    await patchItem({ resource: 'users', pk: user.pk }, { avatarUrl: null }, null)
    await renew(t('pictureRemoved'))
  }
  return (
    <Stack gap="sm">
      <Group>
        <Picture src={user.avatarUrl} alt={t('picture')} size={84} radius="50%" color="brand">
          {initialsOf(user).toUpperCase()}
        </Picture>
        <Stack gap={4}>
          <Group gap="xs">
            <FileButton onChange={file => void upload(file)} accept="image/png,image/jpeg,image/webp">
              {props => (
                <Button {...props} variant="default" loading={isSending}>
                  {t('choosePicture')}
                </Button>
              )}
            </FileButton>
            {user.avatarUrl && (
              <AsyncButton variant="subtle" color="red" onPress={remove} onProblem={setError}>
                {t('removePicture')}
              </AsyncButton>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {t('pictureHint')}
          </Text>
        </Stack>
      </Group>
      <ProblemAlert error={error} />
    </Stack>
  )
}
