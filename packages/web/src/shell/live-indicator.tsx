import { useText } from '../i18n/dictionary.ts'
import { useLiveState } from '../live/use-live.ts'
import { shellTexts } from './dictionary.ts'
import classes from './live-indicator.module.css'

/** Shows whether changes of others arrive at the moment. */
export const LiveIndicator = () => {
  const t = useText(shellTexts)
  const state = useLiveState()
  const says = { off: 'liveConnecting', connecting: 'liveConnecting', on: 'liveOn', lost: 'liveLost' } as const
  return (
    <span role="img" title={t(says[state])} aria-label={t(says[state])} className={classes.dot} data-state={state} />
  )
}
