// The way of a repair, up to its present state.

import { Stepper } from '@mantine/core'
import { useTitles, type ValueProps } from '@plinth/web'
import { states } from './states.ts'

const StateProgress = ({ field, value }: ValueProps) => {
  const titleOf = useTitles()
  const at = states.findIndex(({ name }) => name === value)
  // Repairs that are over have left the way.
  if (at < 0) return field.optionLabels?.[String(value)] ?? String(value)
  return (
    <Stepper active={at} size="xs" iconSize={24}>
      {states.map(({ name, title }) => (
        <Stepper.Step key={name} label={titleOf(title)} />
      ))}
    </Stepper>
  )
}

export default StateProgress
