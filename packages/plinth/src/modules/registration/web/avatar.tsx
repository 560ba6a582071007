import { Button, FileButton, Group, Avatar as Picture, Stack, Text } from '@mantine/core'
import type { SessionUser } from '@plinth/client'
import {
  AsyncButton,
  initialsOf,
  notify,
  ProblemAlert,
  readAllAgain,
  request,
  useSession,
  useTexts,
  useUser,
} from '@plinth/web'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountTexts } from './dictionary.ts'
import { client } from './service.ts'

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
  const t = useTexts(accountTexts)
  const user = useUser()
  const { enter } = useSession()
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const [isSending, setIsSending] = useState(false)
  const renew = async (news: string) => {
    await readAllAgain(queries)
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
    await client.users.update(user.pk, { avatarUrl: null })
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
