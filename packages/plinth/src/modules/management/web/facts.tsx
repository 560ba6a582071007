// Names and values side by side, as management endpoints give them.

import type { ReactNode } from 'react'
import classes from './management.module.css'

interface FactsProps {
  readonly facts: readonly (readonly [string, ReactNode])[]
}

export const Facts = ({ facts }: FactsProps) => (
  <dl className={classes.facts}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
