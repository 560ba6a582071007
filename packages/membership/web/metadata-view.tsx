import { Text } from '@mantine/core'
import { useTexts } from '@plinth/web'
import { networkTexts } from './dictionary.ts'
import classes from './network.module.css'

/** Shows named values as a list, anything else as JSON. */
export const MetadataView = ({ metadata }: { readonly metadata: unknown }) => {
  const t = useTexts(networkTexts)
  if (metadata === null || metadata === undefined)
    return (
      <Text size="sm" c="dimmed">
        {t('noMetadata')}
      </Text>
    )
  if (typeof metadata !== 'object' || Array.isArray(metadata))
    return <pre className={classes.json}>{JSON.stringify(metadata, null, 2)}</pre>
  return (
    <dl className={classes.pairs}>
      {Object.entries(metadata).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
