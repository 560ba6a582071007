import { NotFound } from '@plinth/web'
import { Route, Routes } from 'react-router'
import { ErrorLogPage, ErrorPage } from './error-pages.tsx'
import { ErrorsPage } from './errors-page.tsx'

const ErrorsArea = () => (
  <Routes>
    <Route index element={<ErrorsPage />} />
    <Route path="logs/:pk" element={<ErrorLogPage />} />
    <Route path=":pk" element={<ErrorPage />} />
    <Route path="*" element={<NotFound />} />
  </Routes>
)

export default ErrorsArea
