import { Text } from '@mantine/core'
import classes from './counter.module.css'

interface FigureProps {
  readonly label: string
  readonly value: string
  readonly isBad?: boolean
}

/** A number with its name, within a list of such. */
export const Figure = ({ label, value, isBad = false }: FigureProps) => (
  <div className={classes.figure}>
    <Text component="dt" size="xs" c="dimmed">
      {label}
    </Text>
    <Text component="dd" m={0} fw={700} c={isBad ? 'red' : undefined} className={classes.wrap}>
      {value}
    </Text>
  </div>
)
