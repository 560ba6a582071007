import { Group } from '@mantine/core'
import { AddEntry, AsyncButton, ConfirmButton, CopyText, EntryFault, RemoveEntry } from '../../src/kit.ts'
import { type Sheet, state } from '../sheet.ts'

const nothing = async () => {}

export const buttons: Sheet = {
  name: 'buttons',
  shows: ['AsyncButton', 'ConfirmButton', 'CopyText', 'AddEntry', 'RemoveEntry', 'EntryFault'],
  states: [
    state(
      'work that takes a while',
      <Group>
        <AsyncButton onPress={nothing}>Return</AsyncButton>
        <AsyncButton onPress={nothing} variant="default">
          Renew
        </AsyncButton>
        <AsyncButton onPress={nothing} variant="light">
          Lend
        </AsyncButton>
        <AsyncButton onPress={nothing} disabled>
          Disabled
        </AsyncButton>
      </Group>,
    ),
    state('a text to copy', <CopyText text="978-0-14-143951-8" />),
    state(
      'what asks first',
      <Group>
        <ConfirmButton question="Delete the loan?" onConfirm={nothing} color="red" variant="light">
          Delete
        </ConfirmButton>
        <ConfirmButton question="Remind all?" onConfirm={nothing} variant="default">
          Remind all
        </ConfirmButton>
      </Group>,
    ),
    state(
      'entries of a list',
      <Group>
        <AddEntry label="Add a line" onClick={() => {}} />
        <RemoveEntry label="Remove line 1" onClick={() => {}} />
      </Group>,
    ),
    state('the fault of an entry', <EntryFault error="Enter a whole number." />),
  ],
}
