const ResourcesArea = () => null
export default ResourcesArea
