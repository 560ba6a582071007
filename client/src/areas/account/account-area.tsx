const AccountArea = () => null
export default AccountArea
