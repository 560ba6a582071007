// @plinth/client/react-admin: a data provider and an auth provider.

export { createAuthProvider, type PlinthAuthProvider, type SignInForm } from './react-admin/auth-provider.ts'
export { createDataProvider, type DataProviderOptions, type PlinthDataProvider } from './react-admin/data-provider.ts'
