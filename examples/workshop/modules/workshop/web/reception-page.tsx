// A customer brings a device: the form for a new repair, with the fields that matter at the counter.

import { Alert, Anchor } from '@mantine/core'
import { defineDictionary, Loading, PageHeader, useTexts } from '@plinth/web'
import { useState } from 'react'
import { Link } from 'react-router'
import { RecordForm, useRecords } from './api.ts'

const receptionTexts = defineDictionary(
  'workshopReception',
  { title: 'Take in a device', accept: 'Take in', made: 'Repair {number}' },
  { title: 'Gerät annehmen', accept: 'Annehmen', made: 'Auftrag {number}' },
)

const ReceptionPage = () => {
  const t = useTexts(receptionTexts)
  const [made, setMade] = useState<{ readonly pk: string; readonly number: string } | null>(null)
  // Clerks see the shop that they work in.
  const { data: shops, error } = useRecords('shops', { limit: 1 })
  const [shop] = shops?.items ?? []
  if (!shop) return <Loading error={error} />
  return (
    <>
      <PageHeader title={t('title')} description={shop.name} />
      {made && (
        <Alert role="status" color="teal" mb="md">
          <Anchor component={Link} to={`/resources/tickets/${made.pk}`}>
            {t('made', { number: made.number })}
          </Anchor>
        </Alert>
      )}
      <RecordForm
        resource="tickets"
        fields={['device', 'damage', 'promisedFor']}
        values={{ shop: shop.pk, broughtOn: new Date().toISOString().slice(0, 10) }}
        submit={t('accept')}
        onSaved={setMade}
      />
    </>
  )
}

export default ReceptionPage
