<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="walls" tilewidth="16" tileheight="16" tilecount="4" columns="4">
 <image source="walls.png" width="64" height="16"/>
 <tile id="0">
  <properties>
   <property name="collides" type="bool" value="true"/>
  </properties>
 </tile>
</tileset>
