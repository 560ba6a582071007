// Every resource of the service, by its own description.

import { ApiProblem } from '@plinth/client'
import type { ReactNode } from 'react'
import { Navigate, Route, Routes, useLocation, useParams } from 'react-router'
import { useDirectory } from '../../api/directory.ts'
import { Empty } from '../../common/empty.tsx'
import { Loading } from '../../common/loading.tsx'
import { PageHeader } from '../../common/page-header.tsx'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { useSchema } from '../../common/records/schema.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import { ResourceCards } from '../../common/resource-cards.tsx'
import { signInPath } from '../../common/sign-in-path.ts'
import { useText } from '../../i18n/dictionary.ts'
import { useSession } from '../../session/session.tsx'
import { CreatePage } from './create-page.tsx'
import { DetailPage } from './detail-page.tsx'
import { EditPage } from './edit-page.tsx'
import { ImportPage } from './import-page.tsx'
import { ListPage } from './list-page.tsx'
import { TrashPage } from './trash-page.tsx'

const Directory = () => {
  const t = useText(resourceTexts)
  const { data, error, refetch } = useDirectory()
  return (
    <>
      <PageHeader title={t('records')} description={t('recordsAbout')} />
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data ? <ResourceCards entries={data} /> : error === null && <Loading />}
    </>
  )
}

/** A page of one resource, as soon as its description is there. */
const Described = ({ page: Page }: { readonly page: (props: { readonly schema: Schema }) => ReactNode }) => {
  const t = useText(resourceTexts)
  const { user } = useSession()
  const { pathname, search } = useLocation()
  const { resource = '' } = useParams()
  const { data, error, refetch } = useSchema(resource)
  if (data) return <Page key={resource} schema={data} />
  if (!error) return <Loading />
  if (error instanceof ApiProblem && error.status === 401 && !user) {
    return <Navigate replace to={signInPath(pathname + search)} />
  }
  const isUnknown = error instanceof ApiProblem && [403, 404].includes(error.status)
  return (
    <>
      <PageHeader title={t('records')} />
      {isUnknown ? (
        <Empty title={t('unknownResource')} />
      ) : (
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}

const ResourcesArea = () => (
  <Routes>
    <Route index element={<Directory />} />
    <Route path=":resource" element={<Described page={ListPage} />} />
    <Route path=":resource/import" element={<Described page={ImportPage} />} />
    <Route path=":resource/trash" element={<Described page={TrashPage} />} />
    <Route path=":resource/new" element={<Described page={CreatePage} />} />
    <Route path=":resource/:pk" element={<Described page={DetailPage} />} />
    <Route path=":resource/:pk/edit" element={<Described page={EditPage} />} />
  </Routes>
)

export default ResourcesArea
